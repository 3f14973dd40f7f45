INSERT INTO submission_attachment (id, uid, submission_id, position, name, content_type, size, blob) VALUES
(1, X'01A20113B8FE7388A2F97DADCF383EF0', 1, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(2, X'01A20113B90A72D3A4D697A2DF97CF04', 1, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(3, X'01A20113B9167EFB94F8A46E4FB531A3', 1, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(4, X'01A20113C0B0714CB3E8C94CA0AFABC5', 20, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(5, X'01A20113C0F57C59AE3A071FE04288FD', 21, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(6, X'01A20113C14C797580240617F51A329D', 22, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(7, X'01A20113C14C797FA5EC2571FB3FA45B', 22, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(8, X'01A20113C14C79829363939B18553B7F', 22, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(9, X'01A2011466C17CFEB92CCF20214E0DBF', 43, 0, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
