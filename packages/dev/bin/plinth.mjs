#!/usr/bin/env node
// A source file, because npm links the command at installation, before anything is compiled.
import '../dist/cli/plinth.js';
