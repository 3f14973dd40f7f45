INSERT INTO installation (id, number, counter) VALUES
(1, 958, 45);
