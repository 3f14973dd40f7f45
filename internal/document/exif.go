package document

import "encoding/binary"

// tagOrientation is the one tag of Exif (2.32, 4.6.4) that is read: how the camera was held.
const tagOrientation = 0x0112

// upright is the orientation of a photo that is shown as it is stored.
const upright = 1

// orientationOf returns the orientation, 1 to 8, that TIFF data says, as Exif has it;
// upright when it says none.
func orientationOf(tiff []byte) int {
	var order binary.ByteOrder = binary.BigEndian
	switch {
	case len(tiff) < 8:
		return upright
	case string(tiff[:4]) == "II*\x00":
		order = binary.LittleEndian
	case string(tiff[:4]) != "MM\x00*":
		return upright
	}
	const entrySize, valueAt = 12, 8
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= entrySize; n, entries = n-1, entries[entrySize:] {
		if order.Uint16(entries) != tagOrientation {
			continue
		}
		if o := int(order.Uint16(entries[valueAt:])); o >= 1 && o <= 8 {
			return o
		}
		return upright
	}
	return upright
}

// orientationTag is TIFF data with the orientation and nothing else.
func orientationTag(orientation int) []byte {
	return []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(orientation)) +
		"\x00\x00\x00\x00\x00\x00")
}
