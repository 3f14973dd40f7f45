INSERT INTO act_result (id, act_id, at, failure, answer, size, actor) VALUES
(1, 1, 1795315463864551, '', 'd4b27a5092dc8d7df53f2c8e237dd7b04a6affd6571844baa76b96397aa4a4a3', 45948, 'simulada'),
(2, 2, 1795315465165856, '', 'bfb2df6b2a419cfe8c771d57a5cde84ab0de1422a7245eb89eecdea947527b28', 46071, 'simulada'),
(3, 3, 1795315465199771, '', 'b044166eebec60aa405aef6411b1249502a6f1901a2dbcef1007256ccc1660d8', 46027, 'simulada'),
(4, 4, 1795315465215239, '', '38038b5f2bed3937d25b187478db4a1f488d8e27bfd333723789de12d3e44c4a', 46019, 'simulada'),
(5, 5, 1795315471974159, 'falha_operadora', '', 0, 'simulada'),
(6, 6, 1795315473999086, 'tempo_operadora', '', 0, 'simulada');
