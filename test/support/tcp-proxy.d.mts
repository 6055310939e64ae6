export class TcpProxy {
  watch: ((data: Buffer, cut: () => void) => void) | undefined;
  static to(url: string): Promise<TcpProxy>;
  urlOf(url: string): string;
  accept(): Promise<void>;
  follow(url: string): void;
  cut(): void;
  refuse(): Promise<void>;
  freeze(): void;
  thaw(): void;
  forget(): void;
}
