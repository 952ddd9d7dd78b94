package main

// gameCommands are play, simulate and odds.
var gameCommands = []command{}
