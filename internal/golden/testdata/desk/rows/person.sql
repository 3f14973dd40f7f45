INSERT INTO person (id, uid, login, name, password, disabled, created_at, theme, keys_off, last_login_at) VALUES
(1, X'01A20113A1457045B5233CF063A58C48', 'rui', 'Rui Barreto', '$argon2id$v=19$m=19456,t=2,p=1$FjSGchAxhIGwAWaGDj6MoA$kNX8tQNQBDzjZ5q6gxtYODpELpbupThNwdEU8or00lM', 0, 1795314393683725, 'sistema', 0, 1795314450577181),
(2, X'01A20113A4FA729F93A53A7B0AA8DE1D', 'ana', 'Ana Prado', '$argon2id$v=19$m=19456,t=2,p=1$2kvGPgTxtsmrAPjHzUKi0A$cgi8fOUFlNpobMm+3ZOfU0ThThPx3ZdBLFVhv3dNfbU', 0, 1795314394362197, 'claro', 0, 1795314450780294),
(3, X'01A20113A6A9730EBAB0C73B26FD7D4C', 'bento', 'Recepção do Jardim', '$argon2id$v=19$m=19456,t=2,p=1$NMGKZExZ1Ofr9IoTrGah4w$Ci4PWMOnyg5OD2Ukkhw9VwXsQ8bn33474XcEX2Ba3Y8', 0, 1795314394793236, 'sistema', 0, 1795314402044488),
(4, X'01A20113A77574AF924E19589CD825F8', 'celia', 'Célia Nunes', '$argon2id$v=19$m=19456,t=2,p=1$J4UzKWWNgW6ODzZbnPwWVw$Y55NP+KdtI9zvDKM6vGHxpDNbVPG0LlB+PN1tcCjuxs', 0, 1795314394997422, 'escuro', 1, 1795314416163810),
(5, X'01A20113A88371CD9979DD8FDEDDFB9A', 'todos', 'Pessoa com todos os papéis', '$argon2id$v=19$m=19456,t=2,p=1$GOZ/wDAV7x3w2KId/LL8Aw$/sXEk9eLmHFFWqZtvxVlCh5v40IxVUBrt8hFtAGnqqs', 0, 1795314395267182, 'sistema', 0, 1795314397934123),
(6, X'01A20113AA34714BA365E9E4FE0CC96C', 'saiu', 'Pessoa desativada', '$argon2id$v=19$m=19456,t=2,p=1$4rEalhMSxXPKHBudAOSeHQ$7aZwgaTI14qgqnFTG5kqnjGnxWBsvNTJbsS+x6I54fM', 1, 1795314395700149, 'sistema', 0, 1795314396316091),
(7, X'01A20113ACAB776B8F4FD1841ED2A787', 'voltou', 'Pessoa reativada', '$argon2id$v=19$m=19456,t=2,p=1$9o2GttOwPZVicetR5D9a+A$7NUbEsRn9cqE6VOJW0doLwDXeAqhrLtmT0/o1aMWu0A', 0, 1795314396331519, 'sistema', 0, 1795314397857237),
(8, X'01A20113AE5170B29B71BDB14C60BD6B', 'esqueceu', 'Pessoa com senha redefinida', '', 0, 1795314396753076, 'sistema', 0, 1795314396973264),
(9, X'01A20113AF84777988FA138A34DE91AB', 'convidada', 'Pessoa convidada', '', 0, 1795314397060594, 'sistema', 0, 0),
(10, X'01A20113AF94779FA0B84544B06E0706', 'segunda', 'Pessoa convidada de novo', '', 0, 1795314397076608, 'sistema', 0, 0);
