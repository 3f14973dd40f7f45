package webui_test

import (
	"testing"

	"guiche/internal/apptest"
)

// varied makes of added cases those of many people, operators and procedures: no two rows say the same.
var varied = []string{
	`UPDATE submission SET checksum = NULL, card_number = printf('%017d', abs(random()) % 100000000000000000),
	beneficiary_name = json_extract('["Maria","José","Ana","João","Antônio","Francisca","Carlos","Adriana","Paulo","Juliana","Lucas",
		"Márcia","Luiz","Fernanda","Marcos","Patrícia","Gabriel","Aline","Rafael","Sandra","Daniel",
		"Camila","Bruno","Letícia","Eduardo","Vanessa","Felipe","Mariana","Rodrigo","Gabriela","Manoel"]', '$[' || (id * 7 % 31) || ']')
		|| json_extract('[" Aparecida"," de Fátima"," Cristina"," Augusto"," Henrique"," Beatriz"," da Conceição",
		" Regina"," Eduarda"," Vitória"," das Graças"," Luiza"," Roberto"," Alves"," Cardoso"," Moreira",
		" Nunes"," Vieira"," Teixeira"," Lúcia"," do Carmo"," Helena"," Azevedo"]',
		'$[' || (id * 5 % 23) || ']')
		|| json_extract('[" Silva"," Santos"," Oliveira"," Souza"," Rodrigues"," Ferreira"," Pereira"," Lima"," Gomes",
		" Costa"," Ribeiro"," Martins"," Carvalho"," Almeida"," Lopes"," Soares"," Fernandes"," Barbosa",
		" Rocha"," Dias"," Nascimento"," Andrade"," Marques"," Machado"," Mendes"," Freitas"," Cavalcanti",
		" Guimarães"," Figueiredo"]', '$[' || (id * 3 % 29) || ']'),
	credential_name = json_extract('["Vale Sereno","Aroeira Saúde","Cooperativa Médica da Serra","Caixa dos Servidores",
		"Plano Ipê Amarelo","Assistência Boa Vista","Saúde Litoral Norte","Fundação Pau-Brasil",
		"Clínica Associada São Bento","Mútua dos Ferroviários","Atlântico Vida"]',
		'$[' || (id % 11) || ']')`,
	`UPDATE submission_procedure SET checksum = NULL, quantity = 1 + submission_id % 10,
	code = printf('%08d', 10101000 + abs(random()) % 40000000),
	name = json_extract('["Hemograma com contagem de plaquetas ou frações","Ressonância magnética de crânio",
		"Ecocardiograma transtorácico","Sessão de fisioterapia motora",
		"Tomografia computadorizada de tórax","Consulta em consultório",
		"Ultrassonografia de abdome total","Endoscopia digestiva alta","Glicose, dosagem",
		"Colonoscopia com biópsia","Mamografia bilateral","Teste ergométrico computadorizado",
		"Densitometria óssea de corpo inteiro","Eletroencefalograma em vigília e sono",
		"Holter de 24 horas","Sessão de psicoterapia individual","Ferritina, pesquisa e dosagem",
		"Campimetria computadorizada","Polissonografia de noite inteira","Colesterol (HDL), dosagem"]',
		'$[' || (submission_id % 20) || ']')`,
	`UPDATE submission_state SET checksum = NULL, password = 'SIM' || (abs(random()) % 100000000),
	changed_at = changed_at - abs(random()) % 864000000000, status = json_extract('["A","A","W","P"]',
		'$[' || (submission_id % 4) || ']'), queue_group = 5,
	password_until = strftime('%Y-%m-%dT00:00:00', 'now', '-3 hours', '+' || (1 + submission_id * 11 % 7) || ' day')`,
}

// TestQueue_Size: the queue with two hundred rows, as of all senhas that end soon, comes in few bytes to every browser.
func TestQueue_Size(t *testing.T) {
	t.Parallel()
	const rows, most = 200, 60_000
	server := apptest.Start(t, apptest.Options{})
	server.AddCases(t, rows)
	server.Exec(t, `DROP TRIGGER submission_no_update`)
	server.Exec(t, `DROP TRIGGER submission_procedure_no_update`)
	for _, change := range varied {
		server.ExecRows(t, change)
	}
	ana := server.LogIn(t, apptest.Reception)
	for name, accepts := range map[string]string{"Browser": "gzip, deflate, br, zstd", "Plain": "gzip, deflate",
		"BrotliFirst": "br, gzip;q=0.8"} {
		ana.Header.Set("Accept-Encoding", accepts)
		page := ana.Get("/fila?senhas=vencendo")
		got := len(page.Body)
		page.Body = unpack(t, page.Body)
		if n := page.Count("#fila tbody tr"); n != rows || got > most {
			t.Errorf("%s: got %d rows in %d bytes, want %d in at most %d", name, n, got, rows, most)
		}
		t.Logf("%s: %d bytes of %d", name, got, len(page.Body))
	}
}
