export function publicApi(root: string): string;
export function undocumented(root: string): string[];
