package conformance

// Specification is the first layer: what the text of the specification says, in
// its order.
func Specification() []Chapter {
	return []Chapter{
		{"Section1", section1()},
		{"Section2_1", section2_1()},
		{"Section2_2", section2_2()},
		{"Section2_3", section2_3()},
		{"Section2_4", section2_4()},
		{"Section2_5", section2_5()},
		{"Section2_5_Entry", section2_5Entry()},
		{"Section2_5_Procedure", section2_5Procedure()},
		{"Section3", section3()},
		{"Section4_1", section4_1()},
		{"Section4_2", section4_2()},
		{"Section4_3", section4_3()},
		{"Section4_4", section4_4()},
		{"Section4_5", section4_5()},
		{"Section4_6", section4_6()},
		{"Section4_7", section4_7()},
		{"Section4_8", section4_8()},
		{"Section5", section5()},
		{"Section6", section6()},
		{"Section7", section7()},
		{"Section8", section8()},
		{"Section9", section9()},
	}
}
