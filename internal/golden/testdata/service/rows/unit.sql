INSERT INTO unit (id, uid, name, sort_name, disabled) VALUES
(1, X'9C74AAD8AFF45166B8A0621F32468100', 'Centro', 'centro', 0),
(2, X'2047007926865B3FB4FFE7A6B99E3D91', 'Jardim das Acácias (novo prédio)', 'jardim das acacias (novo predio)', 0),
(3, X'0197000000007000800000000000A000', 'Unidade das Palmeiras', 'unidade das palmeiras', 0),
(4, X'01A20136BF937806A3D64010C5242450', 'Unidade fechada', 'unidade fechada', 1),
(5, X'01A20137039F7808BD273E57B0F3B7BF', 'Unidade do serviço, renomeada', 'unidade do servico, renomeada', 0),
(6, X'019700000000700080000000000000C1', 'Unidade do outro serviço', 'unidade do outro servico', 0),
(7, X'019700000000700080000000000000C3', 'Unidade que saiu da lista', 'unidade que saiu da lista', 1);
