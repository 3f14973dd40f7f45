INSERT INTO person (id, uid, login, name, password, disabled, created_at, theme, keys_off, last_login_at) VALUES
(1, X'01A20123CC3072AAA2582EEDBB26513F', 'rui', 'Rui Barreto', '$argon2id$v=19$m=19456,t=2,p=1$OKxsRm0ToIDLIc4Hp2iN8g$PLpl2odt5yo45AiczXpyUFBGuq1rUAIC4og//eQrmbE', 0, 1795315453187726, 'sistema', 0, 1795315505335817),
(2, X'01A20123CE367898A8523695332FF097', 'ana', 'Ana Prado', '$argon2id$v=19$m=19456,t=2,p=1$7NyZ7XjQRbtA/+mBr1/qdw$msjr8X6ZK+K0tDHosUetlRGV4cDy5W6L9K+KrvQz1Gc', 0, 1795315453494589, 'claro', 0, 1795315505854725),
(3, X'01A20123CF2F760DBB2A2D4A52A233E9', 'bento', 'Recepção do Jardim', '$argon2id$v=19$m=19456,t=2,p=1$rQM40YlYrjT7aWW8D8Kb/g$gvsXYRnWS1nz87x85V/88gPRVjm4n6GbdAaiFjsklgE', 0, 1795315453743424, 'sistema', 0, 1795315457285074),
(4, X'01A20123CFE272D98869B2BD46863CD4', 'celia', 'Célia Nunes', '$argon2id$v=19$m=19456,t=2,p=1$pUAV6p4YjX4ZD5KZelQe5A$KwSd3k9ZohU35LsouGUtpD3rVOXUcui5dquV3wb1BK0', 0, 1795315453922207, 'escuro', 1, 1795315471041346),
(5, X'01A20123D01E7923A89D80480D198A8B', 'todos', 'Pessoa com todos os papéis', '$argon2id$v=19$m=19456,t=2,p=1$/L5WcIkV4tiXSQ5fNvB9Yg$eJU2tBZoksGAnQbhA/lixxXJd/3ktBmwJzwEvrJO4b4', 0, 1795315453982613, 'sistema', 0, 1795315454900929),
(6, X'01A20123D06274C2B1005A6C57DE1139', 'saiu', 'Pessoa desativada', '$argon2id$v=19$m=19456,t=2,p=1$ATRSNoa7t9OpQ7mQpFzAXw$lAyz3VVI0zK9IRsA/uvIXtgiaydt+w82EwRx6eoCREc', 1, 1795315454050325, 'sistema', 0, 1795315454098483),
(7, X'01A20123D096792BB6D493986792F47F', 'voltou', 'Pessoa reativada', '$argon2id$v=19$m=19456,t=2,p=1$3QSflWsmSqAfthVjtxz4zA$BUYaEc2ZhaFRHFTqMwGQffAmMQHlAFjFmgxYfS4BcMo', 0, 1795315454102623, 'sistema', 0, 1795315454853451),
(8, X'01A20123D0D77DAF95187E41BC66208C', 'esqueceu', 'Pessoa com senha redefinida', '', 0, 1795315454167914, 'sistema', 0, 1795315454341861),
(9, X'01A20123D1A476EF8AB7D904F0D79D85', 'convidada', 'Pessoa convidada', '', 0, 1795315454372480, 'sistema', 0, 0),
(10, X'01A20123D1BE796EAB1A698F5B5E1BFE', 'segunda', 'Pessoa convidada de novo', '', 0, 1795315454398678, 'sistema', 0, 0);
