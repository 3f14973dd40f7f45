INSERT INTO installation (id, number, counter) VALUES
(1, 266, 45);
