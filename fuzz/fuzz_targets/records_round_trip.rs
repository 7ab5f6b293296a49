//! Property: a record of a game that parses, as a text or as a line, prints back to both forms of the same record.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pegwise_coach::Record;

fuzz_target!(|text: &str| {
    for record in [Record::from_text(text), Record::from_line(text)].into_iter().flatten() {
        assert_eq!(Record::from_text(&record.to_text()).as_ref(), Ok(&record));
        assert_eq!(Record::from_line(&record.line()), Ok(record));
    }
});
