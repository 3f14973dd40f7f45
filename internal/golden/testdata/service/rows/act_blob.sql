INSERT INTO act_blob (act_id, position, ref, size, name, content_type) VALUES
(1, 0, '9bc579be34cb6eb7304692fe48222272aad6403c1e8422e69dac1f5477859e9d', 458, 'justificativa.pdf', 'application/pdf'),
(1, 1, '677d5cafc7299547e441f001c889247dcc228e6f17759e4524b0eb6741fba865', 96, '', ''),
(5, 0, '5d13868a57f471ae62df82e1f7589a1fc76eb9444721bb2cb3116b3889979154', 450, '', ''),
(6, 0, '5d13868a57f471ae62df82e1f7589a1fc76eb9444721bb2cb3116b3889979154', 450, '', '');
