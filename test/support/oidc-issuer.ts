import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';

import { CryptoKey, exportJWK, generateKeyPair, JWTPayload, SignJWT } from 'jose';

type Algorithm = 'RS256' | 'ES256';

interface Key {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** An OpenID Connect issuer, reduced to what verifiers of its tokens use: its published keys. */
export class IssuerServer {
  private keys: Key[] = [];
  private server: Server | undefined;
  private port = 0;

  static async start(): Promise<IssuerServer> {
    const issuer = new IssuerServer();
    await issuer.rotate('RS256');
    await issuer.listen();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get jwksUrl(): string {
    return `${this.url}/jwks`;
  }

  /** Adds a key, which signs from now on. With `keep`, earlier keys stay published. */
  async rotate(alg: Algorithm, { keep = true } = {}): Promise<void> {
    const kid = `${alg}-${Math.random().toString(36).slice(2)}`;
    const pair = await generateKeyPair(alg, { extractable: true });
    this.keys = [{ kid, alg, ...pair }, ...(keep ? this.keys : [])];
  }

  /** Signs a token for an e-mail, optionally with other claims and another header. */
  async token(email: string, claims: JWTPayload = {}, header: { kid?: string } = {}): Promise<string> {
    const [{ kid, alg, privateKey }] = this.keys as [Key];
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: this.url,
      aud: 'the-service',
      sub: `subject of ${email}`,
      iat: now,
      exp: now + 600,
      email,
      email_verified: true,
      ...claims,
    })
      .setProtectedHeader({ alg, kid, ...header })
      .sign(privateKey);
  }

  async listen(): Promise<void> {
    this.server = createServer((request, response) => {
      const isFound = request.url === '/jwks';
      void this.publicKeys().then((keys) => {
        response.writeHead(isFound ? 200 : 500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ keys }));
      });
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    if (this.server) await once(this.server, 'close');
    this.server = undefined;
  }

  private async publicKeys(): Promise<object[]> {
    return Promise.all(
      this.keys.map(async ({ kid, alg, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg,
        use: 'sig',
      })),
    );
  }
}
