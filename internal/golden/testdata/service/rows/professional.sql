INSERT INTO professional (id, uid, name, sort_name, council, number, state, disabled) VALUES
(1, X'2281C10F88EF57158C0AC28B41FFC08D', 'Dra. Elisa Monteverde', 'dra. elisa monteverde', 'CRM', '88213', 'SP', 0),
(2, X'E3C5C5C5A7035DB48A9495F7E9F8794F', 'Dr. Ivo Sampaio', 'dr. ivo sampaio', 'CRM', '97120', 'SP', 0),
(3, X'14046C479E8B5725B19359B4CE1C689A', 'Lena Brandão', 'lena brandao', 'CREFITO', '41877', 'SP', 1),
(4, X'0197000000007000800000000000B000', 'Executante sem conselho', 'executante sem conselho', '', '', '', 0),
(5, X'01A20136C0CD7184B03CF66CE85E70DE', 'Executante que saiu', 'executante que saiu', 'CRM', '10200', 'RJ', 1),
(6, X'01A2013703D2741DA0D22EDE5B8EC06D', 'Profissional do serviço', 'profissional do servico', 'CRM', '5', 'MG', 0),
(7, X'019700000000700080000000000000D1', 'Executante do outro serviço', 'executante do outro servico', 'CRM', '77123', 'SP', 0),
(8, X'019700000000700080000000000000D2', 'Executante que saiu da lista', 'executante que saiu da lista', 'CRM', '77124', 'SP', 1);
