/// The way of a user through the app, told in events.
public enum Journey {}
