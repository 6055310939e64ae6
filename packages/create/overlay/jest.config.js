import { jestConfig } from '@plinth/dev/jest';

export default jestConfig();
