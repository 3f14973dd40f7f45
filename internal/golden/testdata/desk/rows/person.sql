INSERT INTO person (id, uid, login, name, password, disabled, created_at, theme, keys_off, last_login_at) VALUES
(1, X'01A20136B12973229BDDBD0D49B7F664', 'rui', 'Rui Barreto', '$argon2id$v=19$m=19456,t=2,p=1$gducToP675QkWgekTw4iiA$kAX7koEY2zsGTsCOT8rJZViD364O2ncpiQu7lsAzEtg', 0, 1795316691413899, 'sistema', 0, 1795316743830406),
(2, X'01A20136B5F67ABF9C9C309EBD920614', 'ana', 'Ana Prado', '$argon2id$v=19$m=19456,t=2,p=1$b2jjpKh0UrF7B1PU8SGQFA$uLzNra1HPo20+OIqQNAV+2xo//c2tEGAzSjTLKdZv0w', 0, 1795316692470731, 'claro', 0, 1795316744251900),
(3, X'01A20136B7667BD9AE56ECB3FCB0AE31', 'bento', 'Recepção do Jardim', '$argon2id$v=19$m=19456,t=2,p=1$LA/R0HN02hUVreiIusVlXw$yLnrDbCJfcKZB3RmYZ8TJznXYMZSvOwFWIktIDRSnuw', 0, 1795316692838813, 'sistema', 0, 1795316698573130),
(4, X'01A20136B98E79B094FCA949309C313A', 'celia', 'Célia Nunes', '$argon2id$v=19$m=19456,t=2,p=1$H4rbj4jFcE2SvQhGNXgviw$V4iK97IR+VSDYqqA6JlCWfOeGVsxBLWAQRe78y9M7Is', 0, 1795316693390679, 'escuro', 1, 1795316711931672),
(5, X'01A20136BA0F75D7BBBB47C7F08007A3', 'todos', 'Pessoa com todos os papéis', '$argon2id$v=19$m=19456,t=2,p=1$55lX+bmpfX//C6/oRMer1Q$TstpcSxeBtP25SCOqwnsqa6ZIbjNBH+1zAMNFFZKOnY', 0, 1795316693519406, 'sistema', 0, 1795316694859504),
(6, X'01A20136BA5B7B6FB3611710DBEA7D48', 'saiu', 'Pessoa desativada', '$argon2id$v=19$m=19456,t=2,p=1$Q4w35Pj1AqtY1rx1g3kK8w$KGOEKkhWvcKBatvNc/fgE3zUE3ZT1bf7cK5l5ImTDQw', 1, 1795316693595780, 'sistema', 0, 1795316693664084),
(7, X'01A20136BAAC779EB1C1603CA085CCAC', 'voltou', 'Pessoa reativada', '$argon2id$v=19$m=19456,t=2,p=1$bZWp0JelJ7DaMcTGx7Oi/w$T/+2CivTCxIBk+47XramdjJKd7vDKHAYS/f+nobRplM', 0, 1795316693676567, 'sistema', 0, 1795316694812333),
(8, X'01A20136BB4675E991EBFFF6325DCC1F', 'esqueceu', 'Pessoa com senha redefinida', '', 0, 1795316693830408, 'sistema', 0, 1795316693895463),
(9, X'01A20136BB93782F80D15075DA4AF2D3', 'convidada', 'Pessoa convidada', '', 0, 1795316693907560, 'sistema', 0, 0),
(10, X'01A20136BB977F3988F3DBA52B0FEFB5', 'segunda', 'Pessoa convidada de novo', '', 0, 1795316693912138, 'sistema', 0, 0);
