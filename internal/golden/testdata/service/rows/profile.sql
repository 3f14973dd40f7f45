INSERT INTO profile (id, uid, name, methods, scopes, rate, rate_until, disabled, created_at) VALUES
(1, X'0198A000000070008000000000000001', 'Guichê desta instalação', 'chave', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795316690975396),
(2, X'01A20136C1617872A1BC3725F6F8BF3E', 'Parceiro de integração', 'chave senha oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795316695394319),
(3, X'01A20136C5027BA58FED800017548ED1', 'Parceiro de sessões encerradas', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795316696323327),
(4, X'01A20136C5747DC19EE416A1D7B4AC33', 'Parceiro restrito', 'chave', 'credenciais:ler autorizacoes:ler', 60, 0, 0, 1795316696439048),
(5, X'01A20136C57E72FEBE80A35D7E4DEED6', 'Parceiro desativado', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 6, 1795316706580509, 1, 1795316696449368),
(6, X'01A20136C6177D8D9D7C1811BCD4A371', 'Parceiro reativado e renomeado', 'senha', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 12, 0, 0, 1795316696600343);
