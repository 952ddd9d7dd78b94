// Package journal keeps the nights: append-only, hash-chained lists of what was
// done at the table and which chips moved because of it. It promises that an
// entry it has acknowledged is on disk and stays there, that a changed, missing,
// swapped or added entry is found and named, and that one program at a time
// writes. What the entries mean (the rules, the table, who wins) it leaves to
// the packages above.
//
// # A file of a night
//
// A night is written as JSON lines, one entry a line, in UTF-8, each line ended
// by a line feed:
//
//	{"seq":1,"at":"2026-11-29T20:15:03.120Z","action":{"do":"open",…},"transfers":[{"from":"cage","to":"stack:A","amount":100}],"prev":"7b22…","hash":"51c0…"}
//
// Members stand in this order and there are no others. seq counts from 1
// without a gap. at is the clock of the machine, in UTC, with three digits of
// milliseconds; it is told, never relied upon, since a machine without a clock
// chip may jump back. transfers may be empty. prev is the hash of the line
// before.
//
// # The canonical form
//
// hash is the SHA-256, in lower-case hex, of the line as it was written without
// its last member: cut `,"hash":"…"` away and keep the closing brace. So one
// line can be checked with nothing but
//
//	sed -n 41p night.jsonl | sed 's/,"hash":"[0-9a-f]*"}$/}/' | tr -d '\n' | sha256sum
//
// and the chain by comparing each prev with the hash of the line before. As
// written means: no white space between the tokens; members in the order above,
// those of an action in the order of game.Action; whole numbers in plain digits;
// in texts only `"`, `\`, the characters below U+0020 and U+2028, U+2029 are
// escaped (as \", \\, \b, \f, \n, \r, \t, else \u00xx in lower case). A file
// that other software has written anew, with spaces or with other escapes, still
// verifies here, since the canonical form is made again from the values.
//
// # The first prev
//
// The first entry has no entry before it. Its prev is the night's Meta: the hex
// digits of the bytes of one small JSON object,
//
//	{"format":1,"session":"20261129-201503-9f3a","program":"1.2.0","rules":1,"profile":"pagat","deck":"french","camera":"rpicam"}
//
// so that which program, rules, deck and camera a night was played with is part
// of the chain and travels within the lines (`… | xxd -r -p` shows it).
//
// # Marks
//
// That the camera was lost and came back is kept with a night, in the same
// database and as safely as an entry, but beside the chain. The chain is what
// was done at the table: its entries are actions, every one of which a rule
// answers, and seq is what a page says it looked at. A cable that slips out does
// nothing at the table. As an entry it would make the press stale that a player
// makes at that moment, stand between undo and what is to be undone, and change
// the lines that others check; none of that is worth a record which explains
// entries (why was this card entered by hand?) and settles nothing. So marks
// are not exported with the lines, and a night's hashes and final are the same
// with and without; backup carries them, and a replay shows them between the
// entries where they belong.
//
// # What a chain cannot show
//
// Whoever can write the file can also cut off its end, or make a whole chain
// anew. That is why the last hash, the head, is shown when a night is closed:
// against a head that somebody noted, both are found.
package journal
