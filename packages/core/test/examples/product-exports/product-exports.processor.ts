import { Injectable, Logger } from '@nestjs/common';
import { csvLine, Database, Job, Mails, Processor, renderMail, WorkerHost } from '@plinth/core';

/** What the user requested, and where the mail goes. */
interface RequestedExport {
  readonly category: string | null;
  readonly email: string;
}

@Injectable()
@Processor('product-exports', { timeout: 60_000 })
export class ProductExportsProcessor extends WorkerHost {
  private readonly logger = new Logger('ProductExports');

  constructor(
    private readonly database: Database,
    private readonly mails: Mails,
  ) {
    super();
  }

  /** Sends one mail, even if the same job runs twice: the mail is stored together with `finished_at`, or not at all. */
  async process({ data: { exportId } }: Job<{ exportId: number }>, signal: AbortSignal): Promise<void> {
    this.logger.log(`Exporting products for the export ${exportId}`);
    const [requested] = await this.database.query<RequestedExport>({
      text: `select e.category, u.email from product_exports e join users u on u.id = e.user_id
             where e.id = $1 and e.finished_at is null`,
      values: [exportId],
    });
    // An earlier attempt has finished the export, or the user was deleted.
    if (!requested) return;
    const content = await this.writeCsv(requested, signal);
    await this.database.transaction(async (tx) => {
      const finished = await tx.query({
        text: `update product_exports set finished_at = now() where id = $1 and finished_at is null returning id`,
        values: [exportId],
      });
      if (finished.length === 0) return;
      const subject = 'Your export of products';
      const text = renderMail({ paragraphs: ['The products are attached to this mail.'] });
      const attachments = [{ filename: 'products.csv', content }];
      await this.mails.send({ to: requested.email, subject, ...text, attachments }, tx);
    });
  }

  private async writeCsv({ category }: RequestedExport, signal: AbortSignal): Promise<string> {
    const lines = [csvLine(['id', 'price'])];
    const rows = this.database.stream<{ id: number; price: string }>({
      text: 'select id, price from products where $1::text is null or category = $1 order by id',
      values: [category],
    });
    for await (const { id, price } of rows) {
      signal.throwIfAborted();
      lines.push(csvLine([id, price]));
    }
    return lines.join('');
  }
}
