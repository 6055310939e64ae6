import { sourceFiles } from '../source-files.js';

const DECLARATION = /(?:const \{[^}]*\} = )?defineErrors\(\{([\s\S]*?)\}\)/g;
/** Code that names errors without throwing them. */
const NO_USE = [
  /^(?:import|export)\b[^'"();=]*\bfrom\s*['"].*/gm,
  DECLARATION,
  /@ApiErrorResponse\([^)]*\)/g,
];

/** Returns the codes that the sources in some folders declare with `defineErrors()`, and those that they never use. */
export function errorsIn(...folders: readonly string[]): { declared: string[]; unused: string[] } {
  const texts = sourceFiles(folders, /(?<!\.test)\.ts$/).map(({ text }) => text);
  const codes = texts
    .flatMap((text) => [...text.matchAll(DECLARATION)])
    .flatMap(([, errors = '']) => [...errors.matchAll(/\b([A-Z][A-Z0-9_]*)['"]?:\s*\[/g)])
    .map(([, code = '']) => code);
  const declared = [...new Set(codes)];
  const uses = texts.map((text) => NO_USE.reduce((rest, form) => rest.replaceAll(form, ''), text)).join('\n');
  return { declared, unused: declared.filter((code) => !new RegExp(`\\b${code}\\b`).test(uses)) };
}

/** Returns the codes that no operation of an OpenAPI document lists. Errors of all operations are in its components. */
export function undocumentedErrors(
  { paths, components: { responses } }: { paths: object; components: { responses: object } },
  codes: readonly string[],
): string[] {
  const text = JSON.stringify([paths, responses]);
  return codes.filter((code) => !text.includes(`"${code}"`));
}
