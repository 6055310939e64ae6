/** The command line asks for something that cannot be done; the message is for the one who wrote it. */
export class UsageError extends Error {}
