INSERT INTO draft_attachment (id, uid, draft_id, name, content_type, size, blob) VALUES
(1, X'01A20113C1BA71DFA3D6C88861AF276B', 24, 'rascunho.pdf', 'application/pdf', 453, 'd56b39d85ef51b91515ccb6279388eb234ece991d53ced0cbcd5ee61773f6956'),
(2, X'01A20113C1C27C52AF3DAF190EB37DF4', 24, 'rascunho.png', 'image/png', 96, '253273a3ad67e2e2ee12d4a2a07157cdeb6567543e7f27581dc67c809a62af44'),
(3, X'01A20113C1D97A68B5818C191808A8C6', 25, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(4, X'01A20114729B78D2AC0569C8DCABC789', 49, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
