import tseslint from 'typescript-eslint';

/** Rules of ESLint itself that catch mistakes TypeScript lets through. */
const common = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'max-lines': ['error', { max: 300 }],
  'no-console': 'off',
  'no-constant-binary-expression': 'error',
  'no-control-regex': 'off',
  'no-debugger': 'error',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-param-reassign': 'error',
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-useless-concat': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
};

const typescript = {
  // Decorated parameters and properties need their types at run time.
  '@typescript-eslint/consistent-type-imports': 'off',
  '@typescript-eslint/no-explicit-any': 'error',
  // DTOs are classes for their decorators; mappers build them as literals, field by field.
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
  // Spreading text is how its characters are counted, as PostgreSQL counts them.
  '@typescript-eslint/no-misused-spread': 'off',
  '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
  // `${number}` and `${boolean}` say what they mean.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-confusing-void-expression': [
    'error',
    { ignoreArrowShorthand: true, ignoreVoidOperator: true },
  ],
  '@typescript-eslint/no-meaningless-void-operator': 'off',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // A contract may ask for a promise where an implementation needs none.
  '@typescript-eslint/require-await': 'off',
  // A parameter that only names the type of the answer, as in query<Row>(sql), is how drivers are typed.
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
};

/** Tests meet foreign JSON, matchers typed `any`, and values that must be there. */
const tests = {
  '@typescript-eslint/no-non-null-assertion': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
  '@typescript-eslint/unbound-method': 'off',
  'max-lines': ['error', { max: 500 }],
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '.data/',
      'coverage/',
      'bench/results/',
      'clients/typescript/src/generated/',
      'clients/typescript/test/generator/use.ts',
      'clients/typescript/test/types/',
      'clients/third-party/',
      'clients/example/public/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, rules: common },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: typescript,
  },
  {
    files: ['test/**/*.ts', '**/*.test.ts', 'bench/**/*.ts'],
    rules: tests,
  },
);
