#!/usr/bin/env node
// There before anything is compiled: npm links it as it installs.
import '../dist/cli/plinth.js';
