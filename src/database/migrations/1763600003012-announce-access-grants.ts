import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whatever changes the grants of a user or an API key, every instance is told whose they are: the deletion of a user
 * removes grants too, and so does SQL by hand.
 */
export class AnnounceAccessGrants1763600003012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function access_grants_announce() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then
          perform pg_notify('access_grants_changed', coalesce('key ' || old.api_key_id, 'user ' || old.user_id));
        end if;
        if tg_op <> 'DELETE' then
          perform pg_notify('access_grants_changed', coalesce('key ' || new.api_key_id, 'user ' || new.user_id));
        end if;
        return null;
      end $$`);
    await queryRunner.query(`
      create trigger access_grants_announce after insert or update or delete on access_grants
      for each row execute function access_grants_announce()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger access_grants_announce on access_grants');
    await queryRunner.query('drop function access_grants_announce()');
  }
}
