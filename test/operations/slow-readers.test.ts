import { createDatabase, TestDatabase } from '../support/databases.js';
import { MeasuredService } from '../support/measured-service.js';

const CLIENTS = 200;
/** The fastest of some attempts counts, because the compiler or the garbage collector may run during one. */
const ATTEMPTS = 5;

describe('documents that many clients request at once and do not read', () => {
  let database: TestDatabase;
  let service: MeasuredService;
  beforeAll(async () => {
    database = await createDatabase();
    service = await MeasuredService.start(database.url);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const cost = async (path: string): Promise<number> => {
    let best = Infinity;
    for (let i = 0; i < ATTEMPTS; i++) best = Math.min(best, await service.measureSlowReaders(path, CLIENTS));
    return best;
  };

  it.each(['/docs/openapi.json', '/docs/openapi.yaml', '/reference/v1.json'])(
    'cost the event loop little more than health checks: %s',
    async (path) => {
      const [health, document] = [await cost('/health/live'), await cost(path)];
      expect(document).toBeLessThan(4 * health);
    },
  );
});
