INSERT INTO act_result (id, act_id, at, failure, answer, size, actor) VALUES
(1, 1, 1795314409848555, '', '2f858bb652d06813eb50578e27a520e3e6ea80f9dcfb89bf4c859621ce25e272', 45948, 'simulada'),
(2, 2, 1795314410932696, '', '92d5a7e43baa0ec4046f424b33481b7272729597a93c8ee3b003c3c42828a829', 46071, 'simulada'),
(3, 3, 1795314410949875, '', '7217222adaed8699d61aadfba96318e3ba2f2d25c1edd7cd9a8a97371a6d4c16', 46027, 'simulada'),
(4, 4, 1795314410970803, '', '8ffc4cc3160c193aabb82e41f8fe4e3cdf1a6a073680744f3fdf45fab828ac13', 46019, 'simulada'),
(5, 5, 1795314418062266, 'falha_operadora', '', 0, 'simulada'),
(6, 6, 1795314420090603, 'tempo_operadora', '', 0, 'simulada');
