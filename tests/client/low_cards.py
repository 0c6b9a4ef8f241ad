"""A bot in a few lines: it passes its highest cards and plays its lowest."""

from hearts_client import Card, View, run_bot


class LowCards:
    def choose_pass(self, view: View) -> list[Card]:
        return sorted(view.cards, key=lambda card: card.rank)[-3:]

    def choose_card(self, view: View) -> Card:
        return min(view.legal_cards, key=lambda card: card.rank)


if __name__ == "__main__":
    run_bot(LowCards)
