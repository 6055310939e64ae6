import { Application1763600001000 } from './1763600001000-application.js';

/** The migrations of the application, in order. One that is released is never changed: the next one corrects it. */
export const MIGRATIONS = [Application1763600001000];
