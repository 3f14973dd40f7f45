package data

import "math/rand/v2"

// weighted are values of which some are more frequent than others.
type weighted[T any] struct {
	values []T
	upTo   []int // the sum of the weights so far
}

func (w *weighted[T]) add(weight int, values ...T) *weighted[T] {
	for _, v := range values {
		before := 0
		if n := len(w.upTo); n > 0 {
			before = w.upTo[n-1]
		}
		w.values, w.upTo = append(w.values, v), append(w.upTo, before+weight)
	}
	return w
}

// draw returns one of the values.
func (w *weighted[T]) draw(r *rand.Rand) T {
	at := r.IntN(w.upTo[len(w.upTo)-1])
	low, high := 0, len(w.upTo)-1
	for low < high {
		if middle := (low + high) / 2; w.upTo[middle] <= at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return w.values[low]
}

// given are first names, about as frequent as in Brazil.
var given = new(weighted[string]).
	add(117, "Maria").add(57, "José").add(31, "Ana").add(30, "João").add(26, "Antônio").add(18, "Francisco").
	add(14, "Carlos", "Paulo").add(12, "Pedro").add(11, "Lucas", "Luiz", "Marcos").add(9, "Luís", "Gabriel").
	add(8, "Rafael").add(7, "Francisca", "Daniel", "Marcelo", "Bruno").
	add(6, "Eduardo", "Felipe", "Raimundo", "Rodrigo", "Antônia", "Adriana", "Juliana", "Márcia").
	add(5, "Fernanda", "Patrícia", "Aline", "Sandra", "Camila", "Amanda", "Bruna", "Jéssica", "Manoel", "Mateus", "André", "Fernando").
	add(4, "Letícia", "Júlia", "Luciana", "Vanessa", "Mariana", "Gabriela", "Vera", "Vitória", "Larissa", "Cláudia", "Beatriz",
		"Fábio", "Leonardo", "Gustavo", "Guilherme", "Leandro", "Tiago", "Anderson", "Ricardo", "Márcio", "Jorge", "Sebastião").
	add(3, "Luana", "Rita", "Sônia", "Renata", "Eliane", "Alexandre", "Roberto", "Edson", "Diego", "Vítor", "Sérgio", "Cláudio",
		"Matheus", "Thiago", "Geraldo", "Adriano", "Luciano", "Júlio", "Renato", "Alex", "Vinícius", "Rogério", "Samuel").
	add(2, "Josefa", "Simone", "Natália", "Cristiane", "Carla", "Débora", "Rosângela", "Jaqueline", "Rosa", "Daniela", "Aparecida",
		"Marlene", "Terezinha", "Raimunda", "Andréia", "Fabiana", "Lúcia", "Raquel", "Ângela", "Rafaela", "Joana", "Luzia", "Ronaldo",
		"Mário", "Flávio", "Igor", "Ivan", "Otávio", "Caio", "Davi", "Benedito", "Severino", "Mauro").
	add(1, "Iracema", "Célia", "Ivone", "Olga", "Nair", "Dalva", "Zilda", "Cecília", "Helena", "Lívia", "Yasmin", "Isadora", "Heloísa",
		"Alice", "Valentina", "Sophia", "Ênio", "Ivo", "Nilton", "Wagner", "Ubirajara", "Osvaldo", "Tomás", "Benjamin", "Enzo", "Yuri",
		"Kauã", "Akemi", "Yumi", "Kenji")

// family are surnames, about as frequent as in Brazil.
var family = new(weighted[string]).
	add(1000, "da Silva").add(300, "Silva").add(600, "dos Santos", "de Oliveira").add(450, "de Souza").add(150, "Santos", "Souza", "Oliveira").
	add(300, "Pereira", "de Lima").add(260, "Ferreira").add(230, "Costa", "Rodrigues").add(200, "de Almeida", "do Nascimento").
	add(180, "Alves").add(160, "de Carvalho", "Araújo").add(150, "Ribeiro").add(130, "Gomes", "Martins").add(110, "Barbosa").
	add(100, "Rocha", "Lopes", "Dias").add(75, "Monteiro", "Mendes", "Barros", "Freitas", "Cardoso", "Teixeira", "Lima").
	add(60, "Moura", "Batista", "Vieira", "Moreira", "Nunes", "Andrade", "Marques", "Ramos", "Machado", "Cavalcante").
	add(45, "Campos", "Castro", "de Melo", "Pinto", "Cunha", "Moraes", "Duarte", "Reis", "Farias", "Correia", "da Costa", "da Rocha").
	add(30, "Borges", "Miranda", "Azevedo", "Tavares", "Nogueira", "Fonseca", "Brito", "Bezerra", "Guimarães", "Macedo", "Coelho").
	add(18, "Aguiar", "Siqueira", "Xavier", "Peixoto", "Sampaio", "Leite", "Assis", "Queiroz", "Pacheco", "Rezende", "Amaral", "Paiva").
	add(8, "d'Ávila", "Sant'Anna", "Sato", "Tanaka", "Schmidt", "Ferrari", "Lacerda", "Falcão", "Vidal", "Prado", "Bueno", "Antunes").
	add(3, "Yamamoto", "Müller", "Bianchi", "Rossi", "Fagundes", "Guerreiro", "Menezes de Sá", "Rosenthal", "Villaça", "Haddad", "Abreu")

// name makes a name of one or two given names and one or two surnames.
func name(r *rand.Rand) string {
	n := given.draw(r)
	if r.IntN(100) < 42 {
		n += " " + given.draw(r)
	}
	if r.IntN(100) < 70 {
		n += " " + family.draw(r)
	}
	return n + " " + family.draw(r)
}
