import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Reviews show the names of their authors: a name that changes gives the reviews of the user new versions, in the
 * transaction that changes it. Any other change of a user does nothing here. The work is that of one UPDATE of the
 * user's reviews, of which there is one a product at most, found by the index on the user and locked in the order of
 * their ids.
 */
const FOLLOW = `create function reviews_follow_author() returns trigger language plpgsql as $$ begin
    with held as (select id from reviews where user_id = new.id order by id for no key update)
    update reviews set version = reviews.version from held where reviews.id = held.id;
    return null;
  end $$`;

/** A review that is being written is not seen by a change of the name at the same time: one of the two waits. */
const HOLD = `create function reviews_hold_author() returns trigger language plpgsql as $$ begin
    perform from users where id in (select user_id from added) order by id for share;
    return null;
  end $$`;

export class ReviewAuthors1795650200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FOLLOW);
    await queryRunner.query(
      `create trigger reviews_follow_author after update on users for each row
       when (old.name is distinct from new.name) execute function reviews_follow_author()`,
    );
    await queryRunner.query(HOLD);
    await queryRunner.query(
      `create trigger reviews_hold_author after insert on reviews referencing new table as added
       for each statement execute function reviews_hold_author()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger reviews_follow_author on users');
    await queryRunner.query('drop trigger reviews_hold_author on reviews');
    await queryRunner.query('drop function reviews_follow_author, reviews_hold_author');
  }
}
