INSERT INTO draft_attachment (id, uid, draft_id, name, content_type, size, blob) VALUES
(1, X'01A20136CC72717B8FBBCAA792AC0998', 24, 'rascunho.pdf', 'application/pdf', 453, 'd56b39d85ef51b91515ccb6279388eb234ece991d53ced0cbcd5ee61773f6956'),
(2, X'01A20136CC7E7C8885A833F7DCA68882', 24, 'rascunho.png', 'image/png', 96, '253273a3ad67e2e2ee12d4a2a07157cdeb6567543e7f27581dc67c809a62af44'),
(3, X'01A20136CC8F70B1A8766BEB60911D43', 25, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(4, X'01A2013772177B35BB1860F290132D7B', 49, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
