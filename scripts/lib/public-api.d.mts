export function entriesOf(root: string): readonly object[];
export function publicApi(entries: ReturnType<typeof entriesOf>): string;
export function undocumented(entries: ReturnType<typeof entriesOf>): string[];
