// Imported before what takes long to load: a signal in that time would end the process.
import { holdSignals } from './signals.js';

holdSignals(['SIGHUP', 'SIGUSR2']);
