package main

// hwCommands are wiring.
var hwCommands = []command{}
