/** A Jest environment, as far as a test of it asks. */
export default class WorkerEnvironment {
  constructor(config: { projectConfig: object });
  teardown(): Promise<void>;
}
