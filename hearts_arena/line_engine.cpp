// An engine of the line protocol (LineSpec.md): it passes its highest cards, and plays the highest
// card that loses the trick, or else its lowest.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Cards = std::vector<std::string>;

int rank(const std::string& card) { return std::string("23456789TJQKA").find(card[0]); }
bool lower(const std::string& a, const std::string& b) { return rank(a) < rank(b); }

int main() {
    Cards hand, trick;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string kind, skipped, card;
        words >> kind;
        if (kind == "hearts-line") {
            std::cout << "ready" << std::endl;
        } else if (kind == "hand") {
            hand.clear();
            words >> skipped >> skipped;
            while (words >> card) hand.push_back(card);
        } else if (kind == "played") {
            words >> skipped >> card;
            trick.push_back(card);
        } else if (kind == "trick") {
            trick.clear();
        } else if (kind == "pass" || kind == "card" || kind == "moon") {
            std::string number, best;
            words >> number;
            Cards legal;
            while (words >> card) legal.push_back(card);
            std::sort(hand.begin(), hand.end(), lower);
            std::sort(legal.begin(), legal.end(), lower);
            int highest = -1;
            for (const auto& played : trick)
                if (played[1] == trick[0][1]) highest = std::max(highest, rank(played));
            for (const auto& mine : legal)
                if (!trick.empty() && (mine[1] != trick[0][1] || rank(mine) < highest)) best = mine;
            if (kind == "pass") best = hand[10] + " " + hand[11] + " " + hand[12];
            else if (kind == "moon") best = "others";
            else if (best.empty()) best = legal.front();
            std::cout << number << " " << best << std::endl;
        }
    }
}
