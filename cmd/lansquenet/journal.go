package main

// journalCommands are sessions, export, import, verify, replay and backup.
var journalCommands = []command{}
