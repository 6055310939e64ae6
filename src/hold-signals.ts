// Imported before everything else: the service loads for a second, and a signal in that time would end the process.
import { holdSignals } from './signals.js';

holdSignals(['SIGHUP', 'SIGUSR2']);
