INSERT INTO submission_attachment (id, uid, submission_id, position, name, content_type, size, blob) VALUES
(1, X'01A20123D69A72239B43D85665D322AB', 1, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(2, X'01A20123D6A7783589F3B3AC895A117A', 1, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(3, X'01A20123D6B876AE80A1DD7B4795FF00', 1, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(4, X'01A20123DB1178CCADCA0CEA8B60B694', 20, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(5, X'01A20123DB6D7AA8870973FC38960D34', 21, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(6, X'01A20123DB92739BA79A2DC04EB92528', 22, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(7, X'01A20123DB92739C9449C7D51624727B', 22, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(8, X'01A20123DB92739DA61F265047694BFC', 22, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(9, X'01A201247F8F70B2858CFA010E6D450F', 43, 0, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
