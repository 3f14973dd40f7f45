package demo

import (
	"strconv"
	"strings"
	"time"

	"guiche/internal/desk"

	"github.com/google/uuid"
)

// visit is a request of the past, or a draft.
type visit struct {
	day       int    // days of work before today
	at        string // time of day; today, how long ago
	by        string // login of whoever types it
	patient   string
	requester string
	care      care
	codes     string // of the procedures, "40304361 50000160*10"
	marks     mark
}

// mark is what is special about a visit.
type mark int

const (
	counter   mark = 1 << iota // the patient waits at the counter
	order                      // the medical order is attached
	again                      // a copy of the patient's visit before: a correction or a repetition, as that ended
	withdrawn                  // taken out of the queue before it is sent
	unsent                     // stays a draft
	attended                   // taken out of the queue of those who may be attended, as all from before yesterday
)

func (v visit) has(m mark) bool { return v.marks&m != 0 }

// visits are in the order of time. What is older than a week is settled.
var visits = []visit{
	{15, "08:12", "ana", "antonio", "caio", laboratory, "40302040 40301605 40304361", order},
	{15, "10:47", "bruna", "joao", "viana", physio, "50000160*10", order},
	{15, "15:05", "marcelo", "milton", "livia", cardiology, "40101010 40101037", 0},
	{14, "09:20", "ana", "carlos", "osvald", imaging, "40901122", order},
	{14, "11:02", "marcelo", "rosangela", "tais", laboratory, "40316521 40316491", 0},
	{14, "14:38", "bruna", "simone", "renata", consulting, "10101012", 0},
	{13, "08:41", "ana", "dalva", "livia", cardiology, "20102038", order},
	{13, "10:15", "marcelo", "yasmin", "caio", laboratory, "40311210 40304361", 0},
	{13, "16:22", "bruna", "sergio", "viana", physio, "50000160*8", order},
	{12, "08:05", "ana", "pedro", "osvald", imaging, "41101316", 0},
	{12, "11:26", "ana", "pedro", "osvald", imaging, "41101316", again | order},
	{12, "13:54", "marcelo", "eduardo", "caio", laboratory, "40302733 40302040 40301630", 0},
	{11, "09:33", "ana", "zuleide", "renata", imaging, "41001079", order},
	{11, "10:58", "bruna", "gilda", "tais", laboratory, "40302830 40302547", 0},
	{11, "15:41", "marcelo", "teodoro", "livia", cardiology, "40901106", order},
	{10, "08:27", "ana", "camila", "tais", laboratory, "40312160", order},
	{10, "10:09", "marcelo", "olivia", "caio", laboratory, "40311210", 0},
	{10, "10:21", "marcelo", "olivia", "caio", laboratory, "40311210", again},
	{10, "16:48", "bruna", "ivone", "viana", physio, "50000160*12", order},
	{9, "09:14", "ana", "ines", "livia", cardiology, "20102020", 0},
	{9, "11:37", "marcelo", "valdir", "osvald", imaging, "40805026", 0},
	{9, "11:52", "marcelo", "valdir", "osvald", imaging, "40805026", again},
	{8, "08:50", "ana", "gabriel", "renata", consulting, "10101012", 0},
	{8, "13:19", "bruna", "mauro", "samuel", laboratory, "40316149 40304361", 0},
	{8, "15:30", "ana", "milton", "livia", laboratory, "40302318 40301630", withdrawn},
	{7, "08:36", "marcelo", "paula", "tais", imaging, "40901300", order},
	{7, "10:44", "ana", "denis", "caio", laboratory, "40316521*2 40304361", 0},
	{7, "14:12", "bruna", "tereza", "renata", laboratory, "40302040 40302733", 0},
	{6, "09:08", "ana", "karina", "osvald", imaging, "40901203", order},
	{6, "11:29", "marcelo", "tereza", "livia", cardiology, "40101010", 0},
	{6, "15:57", "bruna", "sonia", "viana", physio, "50000446*6", order},
	{5, "08:22", "ana", "rosangela", "tais", imaging, "40808041", order},
	{5, "10:31", "marcelo", "wagner", "samuel", laboratory, "40311210 40302580 40304361", 0},
	{5, "16:03", "bruna", "antonio", "caio", cardiology, "40101010", 0},

	{4, "08:48", "ana", "regina", "livia", cardiology, "40901106", order},
	{4, "09:55", "marcelo", "evandro", "viana", physio, "50000160*10", order},
	{4, "14:26", "bruna", "jonas", "renata", laboratory, "40316521", 0},
	{4, "16:10", "ana", "eduardo", "caio", laboratory, "40302733 40302040", 0},
	{3, "08:17", "ana", "carlos", "osvald", imaging, "41001010", order},
	{3, "10:02", "marcelo", "ubirajara", "tais", imaging, "40808130", 0},
	{3, "11:40", "bruna", "nair", "renata", laboratory, "40301605 40304361", 0},
	{3, "13:20", "marcelo", "lucia", "livia", cardiology, "40101037", 0},
	{3, "15:18", "ana", "bruno", "osvald", imaging, "41101227", order},
	{2, "08:33", "ana", "luzia", "tais", imaging, "40901122", 0},
	{2, "08:46", "ana", "luzia", "tais", imaging, "40901122", again | order},
	{2, "10:50", "marcelo", "celso", "livia", cardiology, "20102038", 0},
	{2, "14:05", "ana", "quiteria", "caio", laboratory, "40316521*2 40304361*2", 0},
	{2, "16:37", "bruna", "edna", "viana", physio, "50000160*5", order},
	{1, "08:09", "ana", "beatriz", "livia", cardiology, "40101037", order},
	{1, "09:47", "marcelo", "alice", "renata", laboratory, "40302830", 0},
	{1, "11:21", "ana", "fabio", "osvald", imaging, "40901114", order},
	{1, "13:52", "bruna", "rafael", "tais", consulting, "10101012", 0},
	{1, "16:29", "ana", "mauro", "samuel", laboratory, "40302040 40302547", 0},

	{0, "3h25m", "ana", "manoel", "caio", laboratory, "40302040 40301605 40302547 40304361", order | attended},
	{0, "2h58m", "marcelo", "neide", "osvald", imaging, "41101316", order},
	{0, "2h41m", "bruna", "joao", "viana", physio, "50000160*10", again},
	{0, "2h04m", "ana", "otavio", "renata", imaging, "41001079", 0},
	{0, "1h37m", "marcelo", "ines", "livia", cardiology, "40901106", order},
	{0, "1h12m", "ana", "denis", "caio", laboratory, "40316491 40302733*2", counter},
	{0, "54m", "ana", "hugo", "tais", laboratory, "40311210", counter},
	{0, "47m", "bruna", "gilda", "livia", cardiology, "40101010", 0},
	{0, "38m", "ana", "elza", "osvald", imaging, "40805026", 0},
	{0, "26m", "marcelo", "vanessa", "tais", laboratory, "40316521 40302830 40304361", counter},
	{0, "17m", "ana", "fatima", "viana", physio, "50000160*3", counter},
	{0, "11m", "ana", "rafael", "caio", laboratory, "40302040 40302733", order | unsent},
	{0, "7m", "ana", "clarice", "", care{}, "", unsent},
}

// when returns the time of the visit in a past that ends at now.
func (v visit) when(now time.Time) (time.Time, error) {
	if v.day == 0 {
		ago, err := time.ParseDuration(v.at)
		return now.Add(-ago), err
	}
	at, err := time.Parse("15:04", v.at)
	year, month, day := workday(now, v.day).Date()
	return time.Date(year, month, day, at.Hour(), at.Minute(), 0, 0, now.Location()), err
}

// workday returns the n-th day of work before the day of now.
func workday(now time.Time, n int) time.Time {
	for n > 0 {
		now = now.AddDate(0, 0, -1)
		if day := now.Weekday(); day != time.Saturday && day != time.Sunday {
			n--
		}
	}
	return now
}

// rows are the procedures as they are typed; the desk fills in their names.
func (v visit) rows() []desk.ProcedureRow {
	var rows []desk.ProcedureRow
	for _, item := range strings.Fields(v.codes) {
		code, quantity, several := strings.Cut(item, "*")
		if !several {
			quantity = "1"
		}
		rows = append(rows, desk.ProcedureRow{Code: code, Quantity: quantity})
	}
	return rows
}

// draftID is the same for a visit at every start: what was sent is not sent again.
func draftID(visit int) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("guiche:demo:visit:"+strconv.Itoa(visit)))
}
