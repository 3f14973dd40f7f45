INSERT INTO profile (id, uid, name, methods, scopes, rate, rate_until, disabled, created_at) VALUES
(1, X'0198A000000070008000000000000001', 'Guichê desta instalação', 'chave', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795314393310352),
(2, X'01A20113B3E4775581F27C6940A6CC96', 'Parceiro de integração', 'chave senha oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795314398184052),
(3, X'01A20113B6EB7DB1A5539C3300A00FF4', 'Parceiro de sessões encerradas', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 0, 0, 0, 1795314398956587),
(4, X'01A20113B704751F9C1331A1DF02C537', 'Parceiro restrito', 'chave', 'credenciais:ler autorizacoes:ler', 60, 0, 0, 1795314398981046),
(5, X'01A20113B70B7299881B889F2E720309', 'Parceiro desativado', 'oauth', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 6, 1795314409012984, 1, 1795314398992910),
(6, X'01A20113B72E729A8AB32303479D29C3', 'Parceiro reativado e renomeado', 'senha', 'credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar', 12, 0, 0, 1795314399022600);
