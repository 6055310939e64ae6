export function publicApi(root: string): string;
