INSERT INTO profile (id, uid, name, methods, scopes, rate, rate_until, disabled, created_at) VALUES
(1, X'0198A000000070008000000000000001', 'Guichê desta instalação', 'chave', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795315452918549),
(2, X'01A20123D42C7999A4B29B932A34EB3A', 'Parceiro de integração', 'chave senha oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795315455021034),
(3, X'01A20123D5F970FE8C560BCC8F9902BC', 'Parceiro de sessões encerradas', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795315455481419),
(4, X'01A20123D60877B28C2262E01D55DB85', 'Parceiro restrito', 'chave', 'credenciais:ler autorizacoes:ler', 60, 0, 0, 1795315455496860),
(5, X'01A20123D60C71539DD1494F27C4F541', 'Parceiro desativado', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 6, 1795315465505826, 1, 1795315455500425),
(6, X'01A20123D61870F59E14E87592E730C6', 'Parceiro reativado e renomeado', 'senha', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 12, 0, 0, 1795315455512460);
