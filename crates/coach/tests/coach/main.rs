//! Hints, repairs and analyses, compared with definitions, laws and naive references.

mod analyze;
mod hint;
mod hint_laws;
mod mend;
