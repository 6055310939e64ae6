// Imported before anything else: loading the service takes a second, in which a signal may come that would end the process.
import { holdSignals } from './signals.js';

holdSignals(['SIGHUP', 'SIGUSR2']);
