/// A rule that becomes of a part of an event which Google would not take, by the name that the ledger counts.
///
/// The policy is that of all vendors: what makes the whole event worthless refuses it (its name, which counts as
/// `name_…`, and a missing app instance), since the answer of the wire would be 2xx all the same. Everything else is
/// repaired, so that one bad parameter does not cost the event; a bad key counts as `key_…`.
enum FirebaseRule: String, CaseIterable {
    /// There is no app instance id of 32 hexadecimal digits: the event is refused, for Google could not attribute it.
    case appInstanceIDInvalid = "app_instance_id_invalid"
    /// The user's id is too long: the event is sent without it.
    case userIDTooLong = "user_id_too_long"
    /// The event is older than 72 hours: its time is moved there, as the server would do.
    case timestampClamped = "timestamp_clamped"
    /// The event lies in the future: it is sent without a time, and gets that of its arrival.
    case timestampInFuture = "timestamp_in_future"
    /// The event's own `session_id` or `engagement_time_msec` is no positive number: the automatic one is sent.
    case automaticParameterInvalid = "automatic_parameter_invalid"
    /// The event has more parameters than fit beside the automatic ones: the last defaults are left out first.
    case tooManyParameters = "too_many_parameters"
    /// A number is not finite: the parameter is left out.
    case valueNotFinite = "value_not_finite"
    /// A list or an object stands where text and numbers are taken: the parameter is left out.
    case valueNested = "value_nested"
    /// A text is too long: it is cut between two characters.
    case valueTooLong = "value_too_long"
    /// A text that names a thing (under a key in `_id`) is too long: the parameter is left out, for a cut id misleads.
    case identifierTooLong = "identifier_too_long"
    /// `transaction_id` is empty, which Google would take for one purchase of all: it is left out.
    case transactionIDEmpty = "transaction_id_empty"
    /// There are too many items: the rest is cut off.
    case tooManyElements = "too_many_elements"
    /// An item has too many custom parameters: the last are left out.
    case tooManyElementKeys = "too_many_element_keys"
    /// An item is no object, or has neither `item_id` nor `item_name`: it is left out.
    case itemInvalid = "item_invalid"
    /// `items` is no list, or has nothing left in it: it is left out.
    case itemsEmpty = "items_empty"
}
