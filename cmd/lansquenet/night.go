package main

// nightCommands are run and demo.
var nightCommands = []command{}
