INSERT INTO act_result (id, act_id, at, failure, answer, size, actor) VALUES
(1, 1, 1795316705032933, '', '1454d4f2d2bb1cf4513379db690e3c4f17dade25b79e73b0e136223d5f62bce6', 45948, 'simulada'),
(2, 2, 1795316706275828, '', 'e66aea5304fbdc62528cd06096e72b5a80c5dbc7c2296e727d8fe95f58eed80b', 46071, 'simulada'),
(3, 3, 1795316706297084, '', '454f08c25e111650fa0c07350c11cd36acd2d0f5fedd5d71bbfe9737dd719203', 46027, 'simulada'),
(4, 4, 1795316706307861, '', '923c3b0115d64b3d53fcf4e1abb1bc8d9b143f77fe1c574b0aa279af86d08a45', 46019, 'simulada'),
(5, 5, 1795316712446918, 'falha_operadora', '', 0, 'simulada'),
(6, 6, 1795316714462856, 'tempo_operadora', '', 0, 'simulada');
