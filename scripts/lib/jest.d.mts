/** The scripts' calls of Jest, as far as a test of them asks. */
