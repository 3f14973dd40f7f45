package conformance_test

import "testing"

// The specification, section by section; each sentence is a subtest.

func TestSection1(t *testing.T)             { hold(t) }
func TestSection2_1(t *testing.T)           { hold(t) }
func TestSection2_2(t *testing.T)           { hold(t) }
func TestSection2_3(t *testing.T)           { hold(t) }
func TestSection2_4(t *testing.T)           { hold(t) }
func TestSection2_5(t *testing.T)           { hold(t) }
func TestSection2_5_Entry(t *testing.T)     { hold(t) }
func TestSection2_5_Procedure(t *testing.T) { hold(t) }
func TestSection3(t *testing.T)             { hold(t) }
func TestSection4_1(t *testing.T)           { hold(t) }
func TestSection4_2(t *testing.T)           { hold(t) }
func TestSection4_3(t *testing.T)           { hold(t) }
func TestSection4_4(t *testing.T)           { hold(t) }
func TestSection4_5(t *testing.T)           { hold(t) }
func TestSection4_6(t *testing.T)           { hold(t) }
func TestSection4_7(t *testing.T)           { hold(t) }
func TestSection4_8(t *testing.T)           { hold(t) }
func TestSection5(t *testing.T)             { hold(t) }
func TestSection6(t *testing.T)             { hold(t) }
func TestSection7(t *testing.T)             { hold(t) }
func TestSection8(t *testing.T)             { hold(t) }
func TestSection9(t *testing.T)             { hold(t) }
