package main

// seeCommands are classify, watch, eval and teach.
var seeCommands = []command{}
